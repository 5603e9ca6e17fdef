#ifndef CFOLDERCALLS_H
#define CFOLDERCALLS_H
int folder_placeholder(void);
#endif
