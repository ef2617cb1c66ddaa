import { addTest } from "./addTest.ts";
import { readTestFile } from "./readTestFile.ts";
import { useProviderFile } from "../promptfoo/useProviderFile.ts";

/** All that parses the text of a test file, which comes first. */
export const testFileTasks = { readTestFile, addTest, useProviderFile };

export type TestFileTasks = typeof testFileTasks;
