/** The data source of uploaded files. Its name is fixed (26.1.0 and 25.14.1). */
export const filesSource = "files";
