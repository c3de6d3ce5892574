/** The shortest password that is accepted, in characters. */
export const passwordMinLength = 10;
