/** More models would not fit side by side. */
export const mostCompared = 4;
