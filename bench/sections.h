/* The sections of bench_driver; each prints rows for the device (measure.h). */
#ifndef BENCH_SECTIONS_H
#define BENCH_SECTIONS_H

#include "device.h"

void measure_collectives(struct device *); /* collective, scan, barrier; one CPU */
void measure_sub_groups(struct device *);  /* sub_group; one CPU */
void measure_jobs(struct device *, int threads);
void measure_launch(struct device *);
void measure_build(struct device *);
void measure_sites(struct device *); /* sites, linear */
void measure_scratch(struct device *);

#endif
