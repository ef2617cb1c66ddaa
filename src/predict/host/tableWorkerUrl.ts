/** The script of the thread that sorts, searches and exports results. Built beside the chunk that this file is in. */
export const tableWorker = new URL("./tableWorker.js", import.meta.url);
