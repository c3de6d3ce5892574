import sharp from "sharp";

// Every picture of a stranger is decoded by this module. Nothing but these formats: a picture that is really an SVG or a PDF is
// not opened at all.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif"].flatMap((format) => [
    `VipsForeignLoad${format}File`,
    `VipsForeignLoad${format}Buffer`,
  ]),
});
sharp.cache(false);

/** AVIF, too: only where a model's entry takes it, since its decoder is the largest. */
export function openAvif(): void {
  sharp.unblock({ operation: ["VipsForeignLoadHeifFile", "VipsForeignLoadHeifBuffer"] });
}

export { sharp };
