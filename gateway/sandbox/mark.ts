import { excerptCharacters } from "./limits.ts";

/** The visible mark of every output. */
export const markText = "SANDBOX · no model ran";
/** The mark for EXIF, which allows only plain ASCII. */
export const markAscii = "SANDBOX - no model ran";

/** IPTC's term for media that a program made without training data. */
const digitalSourceType = "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia";
/** IPTC's term for a composite that contains media made by a program. */
const compositeSourceType = "http://cv.iptc.org/newscodes/digitalsourcetype/compositeSynthetic";

/** The part of a prompt that captions show. */
export function excerpt(prompt: string): string {
  const plain = prompt.replace(/\s+/g, " ").trim();
  const characters = [...plain];
  return characters.length > excerptCharacters
    ? `${characters
        .slice(0, excerptCharacters - 1)
        .join("")
        .trimEnd()}…`
    : plain;
}

/** The XMP packet in pictures. */
export function xmpOf(composite: boolean): string {
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:dc="http://purl.org/dc/elements/1.1/" Iptc4xmpExt:DigitalSourceType="${composite ? compositeSourceType : digitalSourceType}"><dc:description><rdf:Alt><rdf:li xml:lang="x-default">${markText}</rdf:li></rdf:Alt></dc:description></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
}
