-- Applies all events of a provider notification, or none if it was applied before. Returns the result of each event, in
-- a fixed order, because accounts are always locked in the same order.
-- Locks: provider_notifications, accounts (for update), *lock_sessions, *apply_provider_event. The accounts by id, in one
-- statement.
-- Outcomes: repeated, *apply_provider_event
-- Invariant: a single-use value is used once.
create or replace function apply_provider_notification(
    p_provider text, p_realm text, p_id text, p_events jsonb, p_providers text[], p_address text, p_request text)
returns text[] language plpgsql as $$
declare
    event record;
    outcomes text[] := '{}';
    told uuid[];
begin
    insert into provider_notifications (provider, id) values (p_provider, p_id) on conflict do nothing;
    if not found then
        return array['repeated'];
    end if;
    told := array(select i.account_id from identities i join jsonb_to_recordset(p_events) as e (subject text) on e.subject = i.subject
                   where i.provider = p_provider and i.realm = p_realm);
    perform 1 from accounts where id = any (told) order by id for update;
    perform lock_sessions(told);
    for event in
        select * from jsonb_to_recordset(p_events) as e (kind text, subject text, at double precision, email text)
         order by e.subject collate "C", e.at
    loop
        outcomes := outcomes || apply_provider_event(p_provider, p_realm, event.kind, event.subject, to_timestamp(event.at), event.email,
                                                     p_providers, p_address, p_request);
    end loop;
    return outcomes;
end $$;
