/** What each string tries to run: `xss` is planted in the page by the test, so that running is noticed. */
const CALL = 'xss()'

/** Ways to make a browser run something or ask another host; short, so that they fit into names. */
const bases = (canary: string): readonly string[] => [
  `<script>${CALL}</script>`,
  `<img src=x onerror=${CALL}>`,
  `<svg onload=${CALL}>`,
  `<svg><script>${CALL}</script>`,
  `<svg><animate onbegin=${CALL} attributeName=x>`,
  `<iframe onload=${CALL}>`,
  `<iframe src=javascript:parent.${CALL}>`,
  `<iframe srcdoc="<img src=x onerror=parent.${CALL}>">`,
  `<input autofocus onfocus=${CALL}>`,
  `<details open ontoggle=${CALL}>x`,
  `<video src=x onerror=${CALL}>`,
  `<audio src=x onerror=${CALL}>`,
  `<body onpageshow=${CALL}>`,
  `<style onload=${CALL}>`,
  `<object data=javascript:${CALL}>`,
  `<embed src=javascript:${CALL}>`,
  `<a href=javascript:${CALL}>x</a>`,
  `<form action=javascript:${CALL}><button>x`,
  `<math href=javascript:${CALL}>x`,
  `<p style=animation:x onpointerover=${CALL}>x`,
  `<base href=${canary}/>`,
  `<img src=${canary}/i>`,
  `<link rel=stylesheet href=${canary}/l>`,
  `<meta http-equiv=refresh content=0;url=${canary}/m>`,
]

/** What would have to be closed first where the text stands inside of something else. */
const BREAKS: readonly string[] = ['', '">', "'>", '</title>', '</script>', '-->']

/** How a text is dressed so that a filter does not know it, or something decodes it once too often. */
const DRESSES: readonly ((text: string) => string)[] = [
  text => text,
  text => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  text => text.replaceAll('<', '&#60;').replaceAll('>', '&#x3e;'),
  text => text.replaceAll('<', '%3C').replaceAll('>', '%3E'),
  text => text.replaceAll('<', '\\u003c').replaceAll('>', '\\x3e'),
  text => text.replaceAll('<', '\uff1c').replaceAll('>', '\uff1e'),
  text => text.replace(/<(\w+)/g, (_, tag: string) => `<${tag.slice(0, 1)}${tag.slice(1).toUpperCase()}/`),
  text => `${text.replaceAll('<', '<<')}//`,
]

/** For what fills texts in, rather than browsers: templates, replacements, formulas, links, marks of direction. */
const OTHERS: readonly string[] = [
  `javascript:${CALL}`,
  `data:text/html,<script>parent.${CALL}</script>`,
  `{{constructor.constructor('${CALL}')()}}`,
  `\${${CALL}}`,
  `#{${CALL}}`,
  `<%= ${CALL} %>`,
  `';${CALL};'`,
  `";${CALL};"`,
  `\\';${CALL}//`,
  '$& $1 $$ $<x> {instance} {address}',
  '=HYPERLINK("javascript:1")',
  '[x](javascript:xss())',
  '\u202e<script>\u202c',
  '__proto__',
  '%s %d %o {0}',
]

/**
 * Hostile texts, all different, one line each: every base behind every break, then in every dress. `limit` keeps those
 * that fit into a field of so many characters.
 */
export const xssCorpus = (canary: string, limit = Number.POSITIVE_INFINITY): string[] => {
  const plain = bases(canary)
  const broken = BREAKS.flatMap(one => plain.map(base => `${one}${base}`))
  const dressed = DRESSES.flatMap(dress => plain.map(dress))
  return [...new Set([...OTHERS, ...broken, ...dressed])].filter(text => text.length <= limit)
}
