import {
  ALWAYS,
  type NotificationRule,
  type NotificationRuleInput,
  notificationRuleRoutes,
  type RuleChoices,
} from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../lib/api.ts'
import { EditorPage } from '../../ui/editor-page.tsx'
import { Card, ErrorState, LoadingState, PageHeader } from '../../ui/page.tsx'
import { RecordEditor } from '../../ui/record-editor.tsx'
import { useIdParam } from '../../ui/use-id-param.ts'
import { useListReturn } from '../../ui/use-list-return.ts'
import { fr } from './fr.ts'
import { RuleForm } from './rule-form.tsx'
import { choicesQuery } from './rule-queries.ts'

const LIST = '/system/notification/rule'

/** Everything is an error, everybody who administers is told: what a first rule most likely is. */
const newRule = ({ accounts, channels }: RuleChoices, isFirst: boolean): NotificationRuleInput => {
  const channel = channels.find(({ kind, enabled }) => kind === 'email' && enabled) ?? channels.at(0)
  return {
    ...{ name: isFirst ? fr.firstName : '', enabled: true, severities: ['error'] },
    ...{ kinds: ['host', 'metric', 'probe', 'link'], siteIds: [], hostTypeIds: [], tags: [], period: ALWAYS },
    steps: [
      {
        ...{ afterMinutes: 0, untilMinutes: null, groupIds: [] },
        accountIds:
          isFirst && channel?.personal === true ? accounts.filter(({ admin }) => admin).map(({ id }) => id) : [],
        channelIds: channel === undefined ? [] : [channel.id],
      },
    ],
    ...{ waitSeconds: null, newsMinutes: null, reminderMinutes: null },
    ...{ tellRecovery: true, tellBrief: false, stop: false },
  }
}

/** /system/notification/rule/new */
export const RuleNewPage = () => {
  const [params] = useSearchParams()
  const back = useListReturn(LIST)
  return (
    <>
      <PageHeader />
      <WithChoices>
        {choices => <RuleForm rule={null} values={newRule(choices, params.has('first'))} choices={choices} {...back} />}
      </WithChoices>
    </>
  )
}

/** /system/notification/rule/:id */
export const RuleEditPage = () => {
  const id = useIdParam() ?? 0
  return (
    <EditorPage
      record={['notification-rule', id]}
      load={signal => call(notificationRuleRoutes.get, { params: { id }, signal })}
    >
      {rule => <WithChoices>{choices => <RuleEditor rule={rule} choices={choices} />}</WithChoices>}
    </EditorPage>
  )
}

const WithChoices = ({ children }: { readonly children: (choices: RuleChoices) => ReactNode }) => {
  const { data, error, refetch } = useQuery({ ...choicesQuery, refetchOnWindowFocus: false })
  if (data !== undefined) return children(data)
  if (error === null) return <LoadingState height={400} />
  return (
    <Card>
      <ErrorState error={error} onRetry={() => void refetch()} />
    </Card>
  )
}

interface RuleEditorProps {
  readonly rule: NotificationRule
  readonly choices: RuleChoices
}

const RuleEditor = ({ rule, choices }: RuleEditorProps) => {
  return (
    <RecordEditor
      list={LIST}
      name={rule.name}
      run={() => call(notificationRuleRoutes.delete, { params: { id: rule.id } })}
    >
      {actions => (
        <>
          <PageHeader title={rule.name} />
          <RuleForm rule={rule} values={rule} choices={choices} {...actions} />
        </>
      )}
    </RecordEditor>
  )
}
