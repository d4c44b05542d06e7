constant uchar bytes[] = {
#embed "include.h" limit(4)
};
