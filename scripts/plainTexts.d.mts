export const plainTextFiles: string;
export const foreignTexts: { property: string; message: string }[];
export const foreignArguments: { selector: string; message: string }[];
export const modalDialogs: { selector: string; message: string };
