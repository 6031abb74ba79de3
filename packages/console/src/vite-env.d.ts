/// <reference types="vite/client" />
declare module 'virtual:mantine-styles'
/** Told here rather than read from the files: a megabyte of literals would be inferred at each check. */
declare module 'world-atlas/countries-50m.json' {
  const atlas: import('./lib/map-outline.ts').Atlas
  // biome-ignore lint/style/noDefaultExport: a JSON module has no other
  export default atlas
}
declare module 'world-atlas/countries-110m.json' {
  const atlas: import('./lib/map-outline.ts').Atlas
  // biome-ignore lint/style/noDefaultExport: as above
  export default atlas
}
