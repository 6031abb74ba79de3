import { ActionIcon, Button, Checkbox, Modal, Popover, Stack, TextInput, UnstyledButton } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ListName, SavedView } from '@narval/contracts'
import { IconAlertTriangle, IconBookmark, IconDeviceFloppy, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { table as words } from '../i18n/table.ts'
import { createView, deleteView, savedViewsQuery, updateView, viewQuery } from '../lib/list-keeping.ts'
import classes from './data-table-menus.module.css'
import { DialogActions } from './dialog-actions.tsx'
import { Notice } from './notice.tsx'
import { errorText } from './page.tsx'

/** Filters, search and order that one keeps under a name, and those that others share. */
export const ViewsMenu = ({ list }: { readonly list: ListName }) => {
  const [opened, setOpened] = useState(false)
  const [naming, setNaming] = useState(false)
  const [params, setParams] = useSearchParams()
  const { data = [] } = useQuery({ ...savedViewsQuery, enabled: opened })
  const views = data.filter(view => view.list === list)
  const current = viewQuery(params)
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: savedViewsQuery.queryKey })
  const failed = (error: Error): void => {
    notifications.show({ title: words.viewFailed, message: errorText(error), color: 'red' })
  }
  const removal = useMutation({ mutationFn: deleteView, onSettled: refresh, onError: failed })
  const renewal = useMutation({ mutationFn: updateView, onSettled: refresh, onError: failed })
  const show = (view: SavedView): void => {
    setParams(new URLSearchParams(view.query))
    setOpened(false)
  }
  return (
    <>
      <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" width={340} trapFocus>
        <Popover.Target>
          <ActionIcon
            variant="default"
            size={34}
            radius={8}
            aria-label={words.views}
            title={words.views}
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            <IconBookmark size={17} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown p={8}>
          <div className={classes.title}>{words.views}</div>
          {views.length === 0 && <div className={classes.none}>{words.noViews}</div>}
          <div className={classes.menu}>
            {views.map(view => (
              <div key={view.id} className={classes.line}>
                <UnstyledButton
                  className={classes.view}
                  data-on={view.query === current || undefined}
                  onClick={() => show(view)}
                >
                  <span>{view.name}</span>
                  {view.shared && <small>{view.mine ? words.viewShared : words.viewBy(view.author)}</small>}
                </UnstyledButton>
                {view.mine && view.query !== current && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={words.viewReplace(view.name)}
                    title={words.viewReplace(view.name)}
                    onClick={() => renewal.mutate({ ...view, query: current })}
                  >
                    <IconDeviceFloppy size={16} />
                  </ActionIcon>
                )}
                {view.mine && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={words.viewDelete(view.name)}
                    title={words.viewDelete(view.name)}
                    onClick={() => removal.mutate(view.id)}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                )}
              </div>
            ))}
          </div>
          <Button
            variant="subtle"
            size="compact-sm"
            fullWidth
            leftSection={<IconPlus size={15} />}
            onClick={() => {
              setOpened(false)
              setNaming(true)
            }}
          >
            {words.viewSave}
          </Button>
        </Popover.Dropdown>
      </Popover>
      <Modal opened={naming} onClose={() => setNaming(false)} title={<strong>{words.viewSave}</strong>} centered>
        <NewViewForm list={list} query={current} onDone={() => setNaming(false)} onSaved={refresh} />
      </Modal>
    </>
  )
}

interface NewViewProps {
  readonly list: ListName
  readonly query: string
  readonly onDone: () => void
  readonly onSaved: () => Promise<void>
}

const NewViewForm = ({ list, query, onDone, onSaved }: NewViewProps) => {
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const creation = useMutation({
    mutationFn: () => createView({ list, name, query, shared }),
    onSuccess: async () => {
      await onSaved()
      onDone()
    },
  })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (name.trim() !== '') creation.mutate()
      }}
    >
      <Stack gap="md">
        <TextInput
          label={words.viewName}
          description={words.viewHelp}
          maxLength={80}
          required
          data-autofocus
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        <Checkbox label={words.viewShare} checked={shared} onChange={event => setShared(event.currentTarget.checked)} />
        {creation.error !== null && (
          <Notice tone="error" icon={<IconAlertTriangle size={18} />}>
            <p>{errorText(creation.error)}</p>
          </Notice>
        )}
        <DialogActions onCancel={onDone} submit={words.save} busy={creation.isPending} disabled={name.trim() === ''} />
      </Stack>
    </form>
  )
}
