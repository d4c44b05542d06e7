/* The version of OpenCL that platforms, devices and the macro __OPENCL_VERSION__ tell: 3.1 of devices
 * that take SPIR-V, which is what other devices of ours lack for it (appendix E of the API's
 * specification, version 3.1), else 3.0.  `offers` is enum mpl_offer's (runtime/device.h). */
#ifndef MPL_TABLES_VERSION_H
#define MPL_TABLES_VERSION_H

#define MPL_CL_MINOR(offers)   ((offers) & MPL_OFFERS_SPIRV ? 1 : 0)
#define MPL_CL_VERSION(offers) (300 + 10 * MPL_CL_MINOR(offers))

#endif
