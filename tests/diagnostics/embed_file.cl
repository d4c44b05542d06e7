#line 40 "mine.cl"

constant uchar bytes[] = {
#embed "/etc/hostname"
};
