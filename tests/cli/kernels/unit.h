#ifndef UNIT
#define UNIT 1
#endif
