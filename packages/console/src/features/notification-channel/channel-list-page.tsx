import { Button } from '@mantine/core'
import { IconPlus, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { NotificationTabs } from '../../ui/notification-tabs.tsx'
import { Card, EmptyState, NotLoaded, PageHeader } from '../../ui/page.tsx'
import classes from './channel.module.css'
import { ChannelCard } from './channel-card.tsx'
import { channelsQuery } from './channel-queries.ts'
import { fr } from './fr.ts'

/** /system/notification: by what people are reached, each with what it did last. */
export const ChannelListPage = () => (
  <>
    <PageHeader actions={<AddButton />} />
    <NotificationTabs current="channel" />
    <Channels />
  </>
)

const AddButton = () => (
  <Button component={Link} to="/system/notification/channel/new" leftSection={<IconPlus size={16} />}>
    {fr.add}
  </Button>
)

const Channels = () => {
  const { data, error, refetch } = useQuery(channelsQuery)
  if (data === undefined) return <NotLoaded error={error} onRetry={refetch} isAlone />
  if (data.length === 0)
    return (
      <Card>
        <EmptyState title={fr.none} icon={<IconSend size={28} stroke={1.6} />} action={<AddButton />}>
          {fr.noneText}
        </EmptyState>
      </Card>
    )
  return (
    <ul className={classes.channels} aria-label={fr.title}>
      {data.map(channel => (
        <ChannelCard key={channel.id} channel={channel} />
      ))}
    </ul>
  )
}
