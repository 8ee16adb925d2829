-- What operators ask, answered from few pages among a million accounts and their events.

-- How often what happened, by the hour: sealed rows of the audit log, so that an overview reads thousands of rows in
-- place of millions. What a row doesn't name is ''; reasons are kept of refusals.
create table audit_counts (
    hour     timestamptz not null,
    action   text not null,
    outcome  text not null,
    provider text not null,
    reason   text not null,
    count    bigint not null,
    primary key (hour, action, outcome, provider, reason)
) with (fillfactor = 70);

-- Counts with each batch of the sealer, in its transaction, whichever version of the server seals: a row is sealed once,
-- so it is counted once, in its own hour however late it came. The role that seals may not write here.
create function count_sealed_events() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    insert into audit_counts as c (hour, action, outcome, provider, reason, count)
    select date_trunc('hour', e.at, 'UTC'), e.action, e.outcome, coalesce(e.provider, ''),
           case when e.outcome = 'refused' then coalesce(e.reason, '') else '' end, count(*)
      from sealed s join audit_events e on e.id = s.event_id and e.at = s.at
     group by 1, 2, 3, 4, 5
        on conflict (hour, action, outcome, provider, reason) do update set count = c.count + excluded.count;
    return null;
end $$;

-- What is sealed already. Nobody seals meanwhile: whoever holds this lock does.
select pg_advisory_xact_lock(hashtextextended('audit chain', 4));
insert into audit_counts (hour, action, outcome, provider, reason, count)
select date_trunc('hour', e.at, 'UTC'), e.action, e.outcome, coalesce(e.provider, ''),
       case when e.outcome = 'refused' then coalesce(e.reason, '') else '' end, count(*)
  from audit_chain c join audit_events e on e.id = c.event_id and e.at = c.at
 group by 1, 2, 3, 4, 5;
create trigger count_sealed_events after insert on audit_chain referencing new table as sealed
    for each statement execute function count_sealed_events();

-- Pruned months are counted no longer.
create function forget_pruned_counts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    delete from audit_counts where hour < new.pruned_before;
    return null;
end $$;
create trigger forget_pruned_counts after update of pruned_before on audit_checkpoint
    for each row when (new.pruned_before > old.pruned_before) execute function forget_pruned_counts();

-- How often what happened from a moment on: the whole hours that were counted, the rows of the part of an hour before
-- them, and the rows that wait to be sealed. One statement sees each row on one side only; a row whose transaction is
-- committed after its neighbours were sealed is seen when it is sealed itself.
--
-- Orders and limits lead PostgreSQL to the indexes, which it can't know to be short ways; more rows than that wait in a
-- log of millions alone that was never sealed before.
create function counted_events(p_from timestamptz)
returns table (hour timestamptz, action text, outcome text, provider text, reason text, count bigint) language sql stable as $$
    with bounds as materialized (
        select greatest(k.event_id, (select max(event_id) from audit_chain)) as sealed from audit_checkpoint k
    ), rows as (
        select w.at, w.action, w.outcome, w.provider, w.reason
          from bounds b cross join lateral (select * from audit_events where id > b.sealed order by id limit 100000) w
         where w.at >= p_from
        union all
        select f.at, f.action, f.outcome, f.provider, f.reason
          from bounds b cross join lateral (
               select * from audit_events
                where at >= p_from and at < date_trunc('hour', p_from + interval '59 minutes 59.999999 seconds', 'UTC')
                order by at, id limit 100000000) f
         where f.id <= b.sealed
    )
    select c.hour, c.action, c.outcome, c.provider, c.reason, c.count
      from audit_counts c where c.hour >= p_from
    union all
    select date_trunc('hour', r.at, 'UTC'), r.action, r.outcome, coalesce(r.provider, ''),
           case when r.outcome = 'refused' then coalesce(r.reason, '') else '' end, count(*)
      from rows r group by 1, 2, 3, 4, 5
$$;

-- Accounts by the beginning of a name, address or number, in the order of what was found, after `p_after`. The end of
-- a range of texts that begin alike is the text with the greatest character behind it. Its beginning stands in the
-- comparison of rows, since that is where PostgreSQL enters an index: from the index's first page on it would be read.
create or replace function search_accounts_by_prefix(p_kind text, p_prefix text, p_after text, p_after_id uuid, p_limit integer)
returns table (found text, account_id uuid) language plpgsql stable as $$
declare
    last_ constant text := lower(p_prefix) || U&'\+10FFFF';
    from_ constant text := greatest(lower(p_prefix) collate "C", p_after collate "C");
    from_id constant uuid := coalesce(p_after_id, '00000000-0000-0000-0000-000000000000');
begin
    if p_kind = 'email' then
        return query
            (select e.address_key, e.account_id from account_emails e
              where (e.address_key collate "C", e.account_id) > (from_, from_id) and e.address_key collate "C" < last_
              order by e.address_key collate "C", e.account_id limit p_limit)
            union
            (select lower(i.email), i.account_id from identities i
              where i.email is not null and (lower(i.email) collate "C", i.account_id) > (from_, from_id) and lower(i.email) collate "C" < last_
              order by lower(i.email) collate "C", i.account_id limit p_limit)
            order by 1, 2 limit p_limit;
    elsif p_kind = 'phone' then
        return query
            select p.phone_key, p.account_id from account_phones p
             where (p.phone_key collate "C", p.account_id) > (from_, from_id) and p.phone_key collate "C" < last_
             order by p.phone_key collate "C", p.account_id limit p_limit;
    else
        return query
            (select lower(a.display_name), a.id from accounts a
              where a.display_name is not null and (lower(a.display_name) collate "C", a.id) > (from_, from_id)
                and lower(a.display_name) collate "C" < last_
              order by lower(a.display_name) collate "C", a.id limit p_limit)
            union
            (select lower(substring(a.display_name from '[^ ]+$')), a.id from accounts a
              where a.display_name like '% %' and (lower(substring(a.display_name from '[^ ]+$')) collate "C", a.id) > (from_, from_id)
                and lower(substring(a.display_name from '[^ ]+$')) collate "C" < last_
              order by lower(substring(a.display_name from '[^ ]+$')) collate "C", a.id limit p_limit)
            union
            (select e.address_key, e.account_id from account_emails e
              where (e.address_key collate "C", e.account_id) > (from_, from_id) and e.address_key collate "C" < last_
              order by e.address_key collate "C", e.account_id limit p_limit)
            union
            (select a.user_name_key, a.id from accounts a
              where a.user_name_key is not null and (a.user_name_key collate "C", a.id) > (from_, from_id)
                and a.user_name_key collate "C" < last_
              order by a.user_name_key collate "C", a.id limit p_limit)
            order by 1, 2 limit p_limit;
    end if;
end $$;

-- What happened to an account, and to those that were joined to it: newest first, before `p_before`. The newest of each
-- are taken, in the order of the index, before they are put in one: an account may have any number of events, where
-- PostgreSQL expects a few, to be read and sorted.
create or replace function account_history(p_account uuid, p_before bigint, p_limit integer) returns jsonb language sql stable
    set enable_sort = off set jit = off as $$
    select coalesce(jsonb_agg(jsonb_build_object(
            'id', v.id, 'at', utc(v.at), 'action', v.action, 'outcome', v.outcome, 'reason', v.reason, 'account_id', v.account_id,
            'actor_id', v.actor_id, 'words', v.words, 'identity_id', v.identity_id, 'session_id', v.session_id, 'client_id', v.client_id,
            'provider', v.provider, 'address', v.address, 'request_id', v.request_id, 'detail', v.detail) order by v.id desc), '[]')
      from (select newest.*
              from (select p_account as id union select id from accounts where merged_into = p_account) a
             cross join lateral (select * from audit_events e
                                  where e.account_id = a.id and e.id < coalesce(p_before, 9223372036854775807)
                                  order by e.id desc limit p_limit) newest
             order by newest.id desc limit p_limit) v;
$$;
