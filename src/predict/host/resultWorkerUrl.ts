/** The script of the thread that sorts, searches and exports results. Built beside the chunk that this file is in. */
export const resultWorker = new URL("./resultWorker.js", import.meta.url);
