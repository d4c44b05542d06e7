/* OpenCL's headers, of whatever version, with all that they have but prototypes of extensions. */
#ifndef MPL_TABLES_CL_HEADERS_H
#define MPL_TABLES_CL_HEADERS_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#define CL_ENABLE_BETA_EXTENSIONS /* newer headers: command-buffers are among them */
#include <CL/cl.h>
#define CL_NO_PROTOTYPES /* those of command-buffers in old headers lack parameters */
#include <CL/cl_ext.h>
#undef CL_NO_PROTOTYPES
#include <CL/cl_icd.h>

#endif
