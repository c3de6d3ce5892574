import sharp from "sharp";

// This module decodes all pictures from strangers. It allows only these formats: a picture that is really an
// SVG or a PDF is not opened at all.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif"].flatMap((format) => [
    `VipsForeignLoad${format}File`,
    `VipsForeignLoad${format}Buffer`,
  ]),
});
sharp.cache(false);

/** Also allows AVIF. Called only if a model's entry accepts it, because its decoder is the largest. */
export function openAvif(): void {
  sharp.unblock({ operation: ["VipsForeignLoadHeifFile", "VipsForeignLoadHeifBuffer"] });
}

export { sharp };
