// Addresses of the files of the pages, which may be below any path of a host.

const ROOT = new URL(".", import.meta.url);

/** The address of a file, named from the folder of the pages. */
export const at = (path) => new URL(path, ROOT).href;
