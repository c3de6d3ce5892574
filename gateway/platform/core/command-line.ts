/** How people call a command of this installation. Only the npm package has JavaScript, and it brings `gatehouse`. */
export const commandLine = import.meta.filename.endsWith(".js") ? "gatehouse" : "npm run -s gatehouse --";
