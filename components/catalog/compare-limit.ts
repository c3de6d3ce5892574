/** More models would not fit side by side. */
export const maxCompared = 4;
