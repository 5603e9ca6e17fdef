#include "CFolderCalls.h"
int folder_placeholder(void) { return 0; }
