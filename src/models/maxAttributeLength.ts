/** For an attribute's name, in characters. A file of its own, so that the page does not load the messages' schemas. */
export const maxAttributeLength = 200;
