/**
 * Stemmers, by name.
 * @type {Record<string, (word: string) => string>}
 */
export const stemmers = {};
