/* The version of OpenCL that platform, device and queries report, and of OpenCL C that the device's
 * list ends with.  3.1 also needs SPIR-V 1.0 to 1.4 (CL_DEVICE_ILS_WITH_VERSION) and
 * cl_khr_spirv_queries (appendix E of the API's specification, version 3.1); all else of it is there. */
#ifndef MPL_TABLES_VERSION_H
#define MPL_TABLES_VERSION_H

#define MPL_CL_MAJOR 3
#define MPL_CL_MINOR 0

#define MPL_CL_VERSION (100 * MPL_CL_MAJOR + 10 * MPL_CL_MINOR)
#define MPL_CL_DOTTED  MPL_CL_TEXT(MPL_CL_MAJOR) "." MPL_CL_TEXT(MPL_CL_MINOR)
#define MPL_CL_TEXT(number)  MPL_CL_TEXT_(number)
#define MPL_CL_TEXT_(number) #number

#endif
