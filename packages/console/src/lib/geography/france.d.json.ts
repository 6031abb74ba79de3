/** Told here rather than read from the file, whose literals say less. */
declare const atlas: import('../map-outline.ts').Atlas
// biome-ignore lint/style/noDefaultExport: a JSON module has no other
export default atlas
