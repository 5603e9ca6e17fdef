// What of glibc's allocator Swift does not see.
#include <malloc.h>
