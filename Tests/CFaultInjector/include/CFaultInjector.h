// Loaded into a real process by LD_PRELOAD, it counts the calls that change the disk below one directory, and at one of
// them kills the process or fails the call. It has no function to call; the environment tells it what to do:
//
//     ZF_FAULT_BELOW  the directory; without it nothing is counted
//     ZF_FAULT_LOG    where a line is appended for each counted call: its name, a space, its path
//     ZF_FAULT_STEP   what the call's line begins with, its path being the one below the directory; without it, any
//     ZF_FAULT_AT     the number of the call among these, from 1
//     ZF_FAULT_ACT    what happens at that call:
//         kill        SIGKILL before it
//         half        SIGKILL after the first half of the bytes, where it writes any; else as `kill`
//         lose        it answers success and does nothing: a disk that lies
//         <number>    it fails with this errno, once
//         <number>+   it fails with this errno, and so does every later one
//     ZF_FAULT_SWITCH a file of 4 bytes, a native number: while it is not 0, each counted call fails with this errno
//     ZF_CLOCK        a file of 8 bytes, a native signed number: so many nanoseconds are added to the time of day
//
// What changes the disk: writing, truncating, allocating, renaming, linking, removing, making files and directories,
// syncing, and setting modes, owners, times and attributes. SQLite gets to the disk by the same calls; what it maps
// (the index of its log) it makes anew after a crash.
#ifndef CFAULTINJECTOR_H
#define CFAULTINJECTOR_H
#endif
