import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

interface PublicKey {
  challenge: string;
  user?: { id: string };
}

/** A passkey in software: creates and signs the same data as a browser with a real one. */
export class TestPasskey {
  readonly id = randomBytes(16).toString("base64url");
  readonly #key: { publicKey: KeyObject; privateKey: KeyObject };
  readonly #origin: string;
  readonly #rpId: string;
  #userHandle = "";
  #uses = 0;
  /** False if the person did not confirm on the device. */
  verifiesUser = true;

  constructor(consoleUrl: string) {
    const { origin, hostname } = new URL(consoleUrl);
    this.#origin = origin;
    this.#rpId = hostname;
    this.#key = generateKeyPairSync("ec", { namedCurve: "P-256" });
  }

  /** The answer to `public_key` of a registration. */
  register(publicKey: unknown) {
    const { challenge, user } = publicKey as PublicKey;
    this.#userHandle = user?.id ?? "";
    const credentialId = Buffer.from(this.id, "base64url");
    const { x = "", y = "" } = this.#key.publicKey.export({ format: "jwk" });
    const coseKey = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ]),
    );
    const length = Buffer.from([0, credentialId.length]);
    const data = Buffer.concat([
      this.#authenticatorData(0x40),
      Buffer.alloc(16),
      length,
      credentialId,
      coseKey,
    ]);
    const attestation = new Map<string, unknown>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", data],
    ]);
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key",
      response: {
        clientDataJSON: this.#clientData("webauthn.create", challenge),
        attestationObject: cbor(attestation).toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  /** The answer to `public_key` of a sign-in. */
  sign(publicKey: unknown) {
    this.#uses += 1;
    const clientDataJSON = this.#clientData("webauthn.get", (publicKey as PublicKey).challenge);
    const data = this.#authenticatorData();
    const hash = createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest();
    const signature = createSign("sha256")
      .update(Buffer.concat([data, hash]))
      .sign(this.#key.privateKey);
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key",
      response: {
        clientDataJSON,
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
        userHandle: this.#userHandle,
      },
    };
  }

  #clientData(type: string, challenge: string): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin })).toString("base64url");
  }

  #authenticatorData(more = 0): Buffer {
    const flags = 0x01 | (this.verifiesUser ? 0x04 : 0) | more;
    const uses = Buffer.alloc(4);
    uses.writeUInt32BE(this.#uses);
    return Buffer.concat([createHash("sha256").update(this.#rpId).digest(), Buffer.from([flags]), uses]);
  }
}

/** CBOR as authenticators write it: small numbers, text, bytes and maps. */
function cbor(value: unknown): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (!(value instanceof Map)) throw new Error("not encodable here");
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count]);
  if (count < 256) return Buffer.from([(major << 5) | 24, count]);
  return Buffer.from([(major << 5) | 25, count >> 8, count & 0xff]);
}
