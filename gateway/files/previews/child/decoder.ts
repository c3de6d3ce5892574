import sharp from "sharp";

// All pictures from strangers are decoded by this module. It allows only the formats below, so a file that is
// really an SVG or a PDF is not opened at all.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif"].flatMap((format) => [
    `VipsForeignLoad${format}File`,
    `VipsForeignLoad${format}Buffer`,
  ]),
});
sharp.cache(false);

/**
 * Also allows AVIF. Called only if a model's entry accepts AVIF, because its decoder is the largest and so has the most to attack.
 */
export function openAvif(): void {
  sharp.unblock({ operation: ["VipsForeignLoadHeifFile", "VipsForeignLoadHeifBuffer"] });
}

export { sharp };
