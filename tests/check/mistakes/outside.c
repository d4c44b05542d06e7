#include "mistake.h"

int main(void) {
  return work_group_any(1) ? 0 : 1;
}
