const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const maxLength = 500;

/** Whether the gateway could have created `key`: safe as a path, a URL and an S3 key. */
export function isObjectKey(key: string): boolean {
  return key.length <= maxLength && key.split("/").every((part) => segment.test(part));
}

export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new Error(`not an object key: ${JSON.stringify(key)}`);
}
