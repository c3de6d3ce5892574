/** In place of Radix's dialog, which cmdk imports for its own: the palette is in a `Dialog` of the console. */
export const Root = null;
export const Portal = null;
export const Overlay = null;
export const Content = null;
