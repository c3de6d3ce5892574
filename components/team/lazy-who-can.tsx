import dynamic from "next/dynamic";

/** Loaded only if something is refused. */
export const WhoCan = dynamic(() => import("./who-can.tsx").then((module) => module.WhoCan), {
  loading: () => null,
});
