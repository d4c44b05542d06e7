/* The table's types in C, as they cross the C interface (no include guard: also preprocessed into
 * maniple/collectives.h). */
#define C_char   int8_t
#define C_uchar  uint8_t
#define C_short  int16_t
#define C_ushort uint16_t
#define C_int    int32_t
#define C_uint   uint32_t
#define C_long   int64_t
#define C_ulong  uint64_t
#define C_half   uint16_t
#define C_float  float
#define C_double double

/* The result of a sub-group function, by the words of collectives.def. */
#define VALUE_INT(T)   int32_t
#define VALUE_UINT(T)  uint32_t
#define VALUE_UINT4(T) uint64_t
#define VALUE_TYPE(T)  C_##T
