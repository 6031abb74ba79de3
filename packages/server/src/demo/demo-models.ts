import {
  type FieldDefinitionInput,
  fieldDefinitionBody,
  type MonitoringModelInput,
  monitoringModelBody,
  NO_THRESHOLDS,
} from '@narval/contracts'
import { DEMO_HTTP_PORT, DEMO_TCP_PORT } from './responders.ts'
import { DEMO_BANNER } from './scenario.ts'

/** Monitoring models and custom fields of the demonstration. */
export const DEMO_MODELS = ['network', 'web', 'database'] as const
export type DemoModel = (typeof DEMO_MODELS)[number]

export const DEMO_CONTRACTS = ['J+1 ouvré', '4 h ouvrées', '4 h 7 j/7'] as const
export const DEMO_TIMES = { ...NO_THRESHOLDS, warningHigh: 250, errorHigh: 800 }
export const DEMO_TCP = { port: DEMO_TCP_PORT, banner: DEMO_BANNER }
export const DEMO_HTTP = { url: `http://{address}:${DEMO_HTTP_PORT}/`, contains: 'Bonjour' }

type DefinitionInput = Omit<FieldDefinitionInput, 'groupId' | 'types'>
const definition = (input: Pick<FieldDefinitionInput, 'key' | 'label' | 'type'> & Partial<DefinitionInput>) => {
  const { groupId: _, ...rest } = fieldDefinitionBody.parse({ scope: 'host', ...input, groupId: 1 })
  return rest
}

/** Groups of custom fields in their order, with their fields. `of`: names of the types of equipment concerned, none for all. */
export const DEMO_FIELDS = [
  {
    group: 'Liaison',
    fields: [
      {
        of: ['Routeur'],
        input: definition({
          key: 'debit',
          label: 'Débit souscrit',
          help: 'Débit descendant, d’après le contrat de l’opérateur.',
          type: 'integer',
          unit: 'Mbit/s',
          min: 1,
        }),
      },
    ],
  },
  {
    group: 'Contrat et garantie',
    fields: [
      {
        of: [],
        input: definition({
          key: 'contrat',
          label: 'Contrat',
          help: 'Délai d’intervention.',
          type: 'choice',
          choices: [...DEMO_CONTRACTS],
          defaultValue: DEMO_CONTRACTS[0],
        }),
      },
      { of: [], input: definition({ key: 'fin_garantie', label: 'Fin de garantie', type: 'date' }) },
    ],
  },
  {
    group: 'Exigences',
    fields: [
      {
        of: [],
        input: definition({
          key: 'temps_admis',
          label: 'Temps de réponse admis',
          help: 'Au-delà, la page web est en alerte.',
          type: 'integer',
          unit: 'ms',
          min: 50,
          max: 700,
          defaultValue: '250',
        }),
      },
    ],
  },
]

/** What each model says. Attempts and thresholds differ, so that it shows where a value comes from. */
export const DEMO_MODEL_INPUTS: Readonly<Record<DemoModel, MonitoringModelInput>> = {
  network: monitoringModelBody.parse({
    name: 'Équipement réseau',
    description: 'Routeurs, commutateurs, bornes et pare-feu : le service d’administration répond.',
    definition: {
      scanners: [{ item: 'reponse', name: 'Réponse', kind: 'tcp', attempts: 2, parameters: DEMO_TCP }],
      fields: { contrat: '4 h 7 j/7' },
    },
  }),
  web: monitoringModelBody.parse({
    name: 'Page web et temps admis',
    description: 'La page d’accueil répond, contient ce qu’elle doit, et dans le temps admis.',
    definition: {
      scanners: [
        {
          item: 'page',
          name: 'Page web',
          kind: 'http',
          parameters: DEMO_HTTP,
          metrics: [
            {
              key: 'total_time',
              thresholds: { ...DEMO_TIMES, warningHigh: null },
              formulas: { warningHigh: 'champ.temps_admis' },
            },
          ],
        },
      ],
    },
  }),
  database: monitoringModelBody.parse({
    name: 'Port de base de données',
    description: 'Le port de la base répond vite.',
    definition: {
      scanners: [
        {
          item: 'reponse',
          name: 'Réponse',
          kind: 'tcp',
          parameters: DEMO_TCP,
          metrics: [{ key: 'connect_time', thresholds: { ...NO_THRESHOLDS, warningHigh: 100, errorHigh: 500 } }],
        },
      ],
      fields: { contrat: '4 h ouvrées' },
    },
  }),
}
