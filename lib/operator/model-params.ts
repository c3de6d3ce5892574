/** An id `<namespace>/<name>` is two segments of the address. */
export function modelParams(id: string): { namespace: string; name: string } {
  const [namespace = "", name = ""] = id.split("/");
  return { namespace, name };
}
