-- Moves a batch of events from the inbox to their months, counts them, refreshes the search terms of changed accounts,
-- and appends the link of the chain, in one transaction.
-- The serving role can't change tables of the log directly. This function moves events unchanged.
-- The caller supplies the link, because only the master key makes a link that verifies.
--
-- p_rows: the inbox positions of the events, read in this transaction. p_ids: their ids in the order of their chain
-- positions. Each event that leaves the inbox has one of these ids, and each id is one event: otherwise the call fails. So
-- the serving role removes no event from the inbox without a link that names it.
-- Locks: advisory audit chain, audit_inbox, audit_sealed (new), audit_counts, *refresh_search_terms, audit_chain (new). The
-- chain is held to the end of the transaction.
-- Invariant: a change and its audit row commit together.
create or replace function seal_audit(p_position bigint, p_key text, p_rows tid[], p_ids bigint[], p_row_digests bytea, p_digest bytea)
returns void language plpgsql security definer
    set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
    head bigint;
    placed record;
begin
    perform pg_advisory_xact_lock(hashtextextended('audit chain', 4));
    select coalesce(max(c.position), (select k.position from audit_checkpoint k)) into head from audit_chain c;
    if (p_position = head + cardinality(p_ids)) is not true then
        raise exception 'the chain is at %', head using errcode = 'serialization_failure';
    end if;
    if (cardinality(p_rows) = cardinality(p_ids)
        and (select count(distinct r) from unnest(p_rows) r) = cardinality(p_rows)
        and (select count(distinct i) from unnest(p_ids) i) = cardinality(p_ids)) is not true then
        raise exception 'each row has one id, and no row or id is repeated or null' using errcode = 'invalid_parameter_value';
    end if;
    perform set_config('gateway.sealing', 'on', true);
    with moved as (
        delete from audit_inbox where ctid = any (p_rows) returning *
    ), sealed as (
        insert into audit_sealed (position, id, at, action, outcome, reason, account_id, identity_id, session_id, client_id, provider,
                                  address, request_id, detail, actor_id, words)
        select head + o.place, m.id, m.at, m.action, m.outcome, m.reason, m.account_id, m.identity_id, m.session_id, m.client_id, m.provider,
               m.address, m.request_id, m.detail, m.actor_id, m.words
          from moved m join unnest(p_ids) with ordinality as o (id, place) on o.id = m.id
         order by o.place
        returning at, action, outcome, provider, reason, account_id, detail
    ), counted as (
        insert into audit_counts as c (hour, action, outcome, provider, reason, count)
        select date_trunc('hour', s.at, 'UTC'), s.action, s.outcome, coalesce(s.provider, ''),
               case when s.outcome = 'refused' then coalesce(s.reason, '') else '' end, count(*)
          from sealed s group by 1, 2, 3, 4, 5
            on conflict (hour, action, outcome, provider, reason) do update set count = c.count + excluded.count
    )
    select (select count(*) from moved) as moved, count(*) as events, min(s.at) as first_at, max(s.at) as last_at,
           array(select distinct a.id from sealed d cross join lateral accounts_of_event(d.account_id, d.detail) a (id)
                  where changes_search_terms(d.action, d.outcome)) as accounts
      into placed from sealed s;
    perform set_config('gateway.sealing', '', true);
    if placed.moved <> cardinality(p_ids) or placed.events <> cardinality(p_ids) then
        raise exception '% rows and % of % events are in the inbox', placed.moved, placed.events, cardinality(p_ids)
            using errcode = 'serialization_failure';
    end if;
    if cardinality(placed.accounts) > 0 then
        perform refresh_search_terms(placed.accounts);
    end if;
    insert into audit_chain (position, first_at, last_at, key_id, event_ids, row_digests, digest)
    values (p_position, placed.first_at, placed.last_at, p_key, p_ids, p_row_digests, p_digest);
end $$;
revoke execute on function seal_audit(bigint, text, tid[], bigint[], bytea, bytea) from public;
