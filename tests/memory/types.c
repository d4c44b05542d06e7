/* The types of elements. */
#include <string.h>

#include "memory/maker.h"

/* The first MEMORY_SIMPLE are numbers. */
const struct memory_type memory_types[] = {
    {"char", NULL, OF_INTEGERS, 1, 1},         {"uchar", NULL, OF_INTEGERS, 1, 1},
    {"short", NULL, OF_INTEGERS, 2, 1},        {"ushort", NULL, OF_INTEGERS, 2, 1},
    {"int", NULL, OF_INTEGERS, 4, 1},          {"uint", NULL, OF_INTEGERS, 4, 1},
    {"long", NULL, OF_INTEGERS, 8, 1},         {"ulong", NULL, OF_INTEGERS, 8, 1},
    {"float", NULL, OF_FLOATS, 4, 1},          {"double", NULL, OF_DOUBLES, 8, 1},
    {"uchar2", "uchar", OF_INTEGERS, 2, 2},    {"uchar4", "uchar", OF_INTEGERS, 4, 4},
    {"uchar3", "uchar", OF_INTEGERS, 4, 3},    {"char8", "char", OF_INTEGERS, 8, 8},
    {"uchar16", "uchar", OF_INTEGERS, 16, 16}, {"short2", "short", OF_INTEGERS, 4, 2},
    {"ushort4", "ushort", OF_INTEGERS, 8, 4},  {"int2", "int", OF_INTEGERS, 8, 2},
    {"int3", "int", OF_INTEGERS, 16, 3},       {"uint4", "uint", OF_INTEGERS, 16, 4},
    {"int8", "int", OF_INTEGERS, 32, 8},       {"uint16", "uint", OF_INTEGERS, 64, 16},
    {"long2", "long", OF_INTEGERS, 16, 2},     {"ulong4", "ulong", OF_INTEGERS, 32, 4},
    {"float2", "float", OF_FLOATS, 8, 2},      {"float3", "float", OF_FLOATS, 16, 3},
    {"float4", "float", OF_FLOATS, 16, 4},     {"double2", "double", OF_DOUBLES, 16, 2},
    {"struct three", NULL, OF_STRUCTS, 12, 1}, {"struct mixed", NULL, OF_STRUCTS, 8, 1},
    {"struct packed", NULL, OF_STRUCTS, 7, 1}, {"struct nested", NULL, OF_STRUCTS, 16, 1},
    {"union both", NULL, OF_STRUCTS, 4, 1},    {"struct pixel", NULL, OF_STRUCTS, 3, 1},
    {"struct pair", NULL, OF_STRUCTS, 8, 1},   {"struct matrix", NULL, OF_STRUCTS, 64, 1},
    {"struct wide", NULL, OF_STRUCTS, 24, 1},  {"struct five", NULL, OF_STRUCTS, 10, 1},
    {"half", NULL, OF_INTEGERS, 2, 1}, /* chosen by nobody */
};

unsigned memory_num_types(void) {
  return sizeof memory_types / sizeof *memory_types - 1;
}

const struct memory_type *memory_type_of(const char *name) {
  for (unsigned k = 0; k <= memory_num_types(); k++)
    if (!strcmp(memory_types[k].name, name)) return &memory_types[k];
  die("no type %s", name);
}

static const struct memory_field fields[] = {
    {"struct three", ".x", A_FLOAT},      {"struct three", ".y", A_FLOAT},
    {"struct three", ".z", A_FLOAT},      {"struct mixed", ".c", A_NUMBER},
    {"struct mixed", ".s", A_NUMBER},     {"struct mixed", ".i", A_NUMBER},
    {"struct packed", ".c", A_NUMBER},    {"struct packed", ".i", A_NUMBER},
    {"struct packed", ".s", A_NUMBER},    {"struct nested", ".a[0]", A_NUMBER},
    {"struct nested", ".a[2]", A_NUMBER}, {"struct nested", ".w.u", A_NUMBER},
    {"struct nested", ".w.v", A_NUMBER},  {"struct nested", ".a[X % 3u]", A_NUMBER},
    {"union both", ".w", A_NUMBER},       {"union both", ".b[1]", A_NUMBER},
    {"union both", ".h[1]", A_NUMBER},    {"union both", ".b[3]", A_NUMBER},

    {"struct pixel", ".g", A_NUMBER},     {"struct pixel", ".b", A_NUMBER},
    {"struct pair", ".key", A_NUMBER},    {"struct pair", ".value", A_FLOAT},
    {"struct matrix", ".m[0]", A_FLOAT},  {"struct matrix", ".m[5]", A_FLOAT},
    {"struct matrix", ".m[10]", A_FLOAT}, {"struct matrix", ".m[11]", A_FLOAT},
    {"struct matrix", ".m[15]", A_FLOAT}, {"struct matrix", ".m[X & 15]", A_FLOAT},
    {"struct wide", ".a", A_NUMBER},      {"struct wide", ".b", A_NUMBER},
    {"struct wide", ".c", A_FLOAT},       {"struct wide", ".d", A_DOUBLE},
    {"struct five", ".a", A_NUMBER},      {"struct five", ".b", A_NUMBER},
    {"struct five", ".c", A_NUMBER},      {"struct five", ".d", A_NUMBER},
    {"struct five", ".e", A_NUMBER},
};

unsigned memory_fields_of(const struct memory_type *type, const struct memory_field **first) {
  unsigned count = 0;
  for (unsigned k = 0; k < sizeof fields / sizeof *fields; k++) {
    if (strcmp(fields[k].of, type->name)) continue;
    if (!count++) *first = &fields[k];
  }
  return count;
}
