/* printf of values that are the same everywhere, by one work-item. */
#include "programs/generator.h"

static const struct {
  enum base base;
  const char *scalar, *vector; /* conversions, each after its flags */
} formats[] = {
    {CHAR, "d", "hhd"},  {CHAR, "hhd", "hhd"},  {UCHAR, "u", "hhu"}, {UCHAR, "hhx", "hhx"},
    {SHORT, "hd", "hd"}, {USHORT, "hu", "hx"},  {INT, "d", "hld"},   {INT, "i", "hli"},
    {UINT, "u", "hlu"},  {UINT, "x", "hlx"},    {UINT, "X", "hlX"},  {UINT, "o", "hlo"},
    {LONG, "ld", "ld"},  {ULONG, "lu", "lu"},   {ULONG, "lx", "lx"}, {FLOAT, ".1f", "hlf"},
    {FLOAT, "g", "hlg"}, {DOUBLE, ".2f", "lf"},
};

void print_statement(struct generator *g) {
  static const char *const flags[] = {"", "", "", "-", "0", "5", "12", "-9", "07"};
  struct type types[4];
  unsigned count = 1 + below(g, 4);
  g->prints++;
  ADD("if (item == %u) printf(\"k%u", below(g, (unsigned)shape_items(&g->program->shape)),
      g->kernel);
  for (unsigned k = 0; k < count; k++) {
    unsigned what = below(g, sizeof formats / sizeof *formats);
    types[k] = (struct type){(unsigned char)formats[what].base,
                             (unsigned char)(chance(g, 70) ? 1 : random_width(g))};
    const char *flag = flags[below(g, types[k].n > 1 ? 3 : sizeof flags / sizeof *flags)];
    if (types[k].n > 1)
      ADD(" %%%sv%u%s", flag, types[k].n, formats[what].vector);
    else
      ADD(" %%%s%s", flag, formats[what].scalar);
  }
  bool string = chance(g, 15);
  ADD("%s%s\\n\"", chance(g, 10) ? " %%" : "", string ? " %s" : "");
  for (unsigned k = 0; k < count; k++) {
    char name[48];
    ADD(", ");
    expression(g, types[k], 2);
    if (is_real(types[k])) ADD(" + (%s)0", type_name(g, types[k], name)); /* no -0 */
  }
  ADD("%s);", string ? ", \"text\"" : "");
}
