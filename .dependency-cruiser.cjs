/** The import table of ARCHITECTURE.md as rules; `tools/boundaries.test.ts` plants a forbidden import and sees it refused. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { pathNot: allowed },
})
const TEST = '\\.test\\.tsx?$'

module.exports = {
  forbidden: [
    {
      name: 'no-cycle',
      comment: 'Un cycle cache une responsabilité mal placée.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      ...only(
        'engine-imports-nothing',
        '^packages/engine/src',
        ['^packages/engine/src'],
        'engine est pur : aucune dépendance.',
      ),
      from: { path: '^packages/engine/src', pathNot: TEST },
    },
    {
      ...only(
        'contracts-import-engine-and-zod',
        '^packages/contracts/src',
        ['^packages/(contracts|engine)/src', 'node_modules/zod'],
        'contracts ne connaît que engine et zod.',
      ),
      from: { path: '^packages/contracts/src', pathNot: TEST },
    },
    {
      name: 'server-not-console-nor-probe',
      comment: 'Le serveur ne connaît ni la console ni la sonde.',
      severity: 'error',
      from: { path: '^packages/server/src' },
      to: { path: '^packages/(console|probe)/' },
    },
    {
      name: 'probe-not-server-nor-console',
      comment: 'La sonde ne connaît ni le serveur ni la console.',
      severity: 'error',
      from: { path: '^packages/probe/src' },
      to: { path: '^packages/(console|server)/' },
    },
    {
      name: 'probe-measures-never-judges',
      comment: "La sonde mesure, elle ne juge jamais : d'engine, seulement schedule.",
      severity: 'error',
      from: { path: '^packages/probe/src' },
      to: { path: '^packages/engine/src', pathNot: '^packages/engine/src/schedule\\.ts$' },
    },
    {
      name: 'console-not-server-nor-probe',
      comment: 'La console ne connaît que contracts et engine.',
      severity: 'error',
      from: { path: '^packages/console/src' },
      to: { path: '^packages/(server|probe)/' },
    },
    {
      name: 'console-no-node',
      comment: "La console s'exécute dans un navigateur.",
      severity: 'error',
      from: { path: '^packages/console/src', pathNot: TEST },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'server-feature-not-feature',
      comment: "Une rubrique n'importe jamais une autre rubrique.",
      severity: 'error',
      from: { path: '^packages/server/src/features/([^/]+)/' },
      to: { path: '^packages/server/src/features/([^/]+)/', pathNot: '^packages/server/src/features/$1/' },
    },
    {
      name: 'console-feature-not-feature',
      comment: "Une rubrique n'importe jamais une autre rubrique.",
      severity: 'error',
      from: { path: '^packages/console/src/features/([^/]+)/' },
      to: { path: '^packages/console/src/features/([^/]+)/', pathNot: '^packages/console/src/features/$1/' },
    },
    {
      name: 'console-lib-not-ui',
      comment: "lib n'importe jamais ui, ni features, ni app.",
      severity: 'error',
      from: { path: '^packages/console/src/(lib|i18n)/' },
      to: { path: '^packages/console/src/(ui|features|app)/' },
    },
    {
      name: 'console-ui-not-features',
      comment: "ui n'importe ni features ni app.",
      severity: 'error',
      from: { path: '^packages/console/src/ui/' },
      to: { path: '^packages/console/src/(features|app)/' },
    },
    {
      name: 'console-features-not-app',
      comment: "Une rubrique n'importe pas app.",
      severity: 'error',
      from: { path: '^packages/console/src/features/' },
      to: { path: '^packages/console/src/app/' },
    },
    {
      name: 'http-and-store-not-features',
      comment: 'Les couches basses ne connaissent pas les rubriques.',
      severity: 'error',
      from: { path: '^packages/server/src/(http|store|hub|samples)/', pathNot: TEST },
      to: { path: '^packages/server/src/features/' },
    },
    {
      name: 'samples-stand-alone',
      comment: 'Le magasin de mesures ne dépend que de lui-même.',
      severity: 'error',
      from: { path: '^packages/server/src/samples/', pathNot: TEST },
      to: { path: '^packages/server/src/(?!samples/)' },
    },
    {
      name: 'not-unresolvable',
      comment: 'Import introuvable.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules/(?!zod))' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.css'],
    },
  },
}
