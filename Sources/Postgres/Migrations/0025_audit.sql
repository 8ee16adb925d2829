-- The audit log by months, and a chain of digests over its rows.

-- For every table that is only added to, and for every partition: statement triggers aren't inherited.
create or replace function audit_is_append_only() returns trigger language plpgsql as $$
begin
    raise exception '% is append only', tg_table_name;
end $$;

create function guard_audit_table(p_table regclass) returns void language plpgsql as $$
begin
    execute format('drop trigger if exists audit_is_append_only on %s', p_table);
    execute format('create trigger audit_is_append_only before update or delete or truncate on %s
                    for each statement execute function audit_is_append_only()', p_table);
end $$;

-- Rows are reached through the parent alone: who may write to a partition could choose a row's id and time.
create function close_audit_partition(p_table regclass) returns void language plpgsql as $$
declare
    granted record;
begin
    for granted in
        select distinct acl.grantee from pg_class c, aclexplode(c.relacl) acl where c.oid = p_table and acl.grantee <> c.relowner
    loop
        execute format('revoke all on table %s from %s', p_table,
                       case granted.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(granted.grantee)) end);
    end loop;
    perform guard_audit_table(p_table);
end $$;

-- What there is becomes the first partition: all up to the end of this month. Ids go on.
do $$
declare
    last_id bigint;
    next_month timestamptz := (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC';
    granted record;
    first text := 'audit_events_' || to_char(now() at time zone 'UTC', 'YYYY_MM');
begin
    perform set_config('timezone', 'UTC', true);
    lock table audit_events in access exclusive mode;
    select greatest(coalesce(pg_sequence_last_value(pg_get_serial_sequence('audit_events', 'id')::regclass), 0), coalesce(max(id), 0))
      into last_id from audit_events;
    alter table audit_events alter column id drop identity;
    execute format('alter table audit_events rename to %I', first);
    execute format('alter index audit_events_pkey rename to %I', first || '_pkey');
    execute format('alter index audit_events_account rename to %I', first || '_account_id_id_idx');
    execute format('alter index audit_events_request rename to %I', first || '_request_id_idx');

    -- No identity: PostgreSQL knows it for partitions from 17 on.
    execute format('create sequence audit_events_id_seq as bigint start %s', last_id + 1);
    execute format('create table audit_events (like %I including defaults including constraints) partition by range (at)', first);
    alter table audit_events alter column id set default nextval('audit_events_id_seq');
    execute format('alter table %I alter column id set default nextval(''audit_events_id_seq'')', first);
    alter sequence audit_events_id_seq owned by audit_events.id;
    execute format('alter table audit_events attach partition %I for values from (minvalue) to (%L)', first, next_month);

    -- Servers that run write on: what a role might do to the old table it may do to the new one, and take ids.
    for granted in
        select acl.privilege_type, quote_ident(pg_get_userbyid(acl.grantee)) as grantee
          from pg_class c, aclexplode(c.relacl) acl where c.oid = first::regclass and acl.grantee not in (0, c.relowner)
    loop
        execute format('grant %s on table audit_events to %s', granted.privilege_type, granted.grantee);
        if granted.privilege_type = 'INSERT' then
            execute format('grant usage on sequence audit_events_id_seq to %s', granted.grantee);
        end if;
    end loop;
    perform close_audit_partition(first::regclass);
end $$;

-- Ids are unique in each partition: a key of the parent would have to hold the time too.
create index audit_events_at on audit_events (at, id);
create index audit_events_account on audit_events (account_id, id) where account_id is not null;
create index audit_events_request on audit_events using hash (request_id);
create index audit_events_action on audit_events (action, at);
-- What operators did is rare: this costs a sign-in nothing.
create index audit_events_actor on audit_events (actor_id, at) where actor_id is not null;
select guard_audit_table('audit_events');

-- What no month takes: rows of a clock that was wrong, and of a time when nobody made partitions.
create table audit_events_default partition of audit_events (primary key (id)) default;
select close_audit_partition('audit_events_default');

-- Makes the partition of a month. It is made beside the parent and attached, because inserts go on meanwhile.
create function make_audit_partition(p_month timestamptz) returns boolean language plpgsql
    set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '500ms' as $$
declare
    name text := 'audit_events_' || to_char(p_month, 'YYYY_MM');
    month_end timestamptz := p_month + interval '1 month';
begin
    if to_regclass('public.' || name) is not null then return false; end if;
    -- One server makes it, another finds it made: a lock of a table is needed for that, since it looks at the catalogue anew.
    lock table audit_events in share update exclusive mode;
    if to_regclass('public.' || name) is not null then return false; end if;
    execute format('create table %I (like audit_events including defaults including constraints including indexes, primary key (id))', name);
    lock table audit_events_default in access exclusive mode;
    if exists (select from audit_events_default where at >= p_month and at < month_end) then
        alter table audit_events_default disable trigger audit_is_append_only;
        execute format('with moved as (delete from audit_events_default where at >= %L and at < %L returning *)
                        insert into %I select * from moved', p_month, month_end, name);
        alter table audit_events_default enable trigger audit_is_append_only;
    end if;
    execute format('alter table audit_events attach partition %I for values from (%L) to (%L)', name, p_month, month_end);
    perform close_audit_partition(name::regclass);
    return true;
end $$;

create function make_audit_partitions_from(p_now timestamptz) returns integer language plpgsql set timezone = 'UTC' as $$
declare
    made integer := 0;
begin
    for ahead in 0..2 loop
        if make_audit_partition(date_trunc('month', p_now, 'UTC') + make_interval(months => ahead)) then made := made + 1; end if;
    end loop;
    return made;
end $$;

-- For the serving role, which may make no table: of this month and the next two, and no other.
create function make_audit_partitions() returns integer language sql security definer
    set search_path = public, pg_temp set timezone = 'UTC' as $$
    select make_audit_partitions_from(now())
$$;
revoke execute on function make_audit_partitions() from public;
select make_audit_partitions();

-- One row for each row of the log, in the order of sealing; docs/audit.md says what is digested.
create table audit_chain (
    position   bigint primary key,
    event_id   bigint not null unique,
    at         timestamptz not null,                                    -- the event's
    key_id     text not null,                                           -- the master key behind both digests
    row_digest bytea not null check (octet_length(row_digest) = 32),    -- of the event
    digest     bytea not null check (octet_length(digest) = 32)         -- of this row and the digest before it
);
select guard_audit_table('audit_chain');

-- Where the chain begins: what lies before was pruned. One row.
create table audit_checkpoint (
    singleton     boolean primary key default true check (singleton),
    position      bigint not null,          -- the last that is gone
    digest        bytea not null,           -- its digest
    event_id      bigint not null,          -- the greatest id that was sealed up to there
    pruned_before timestamptz not null      -- no row of the log is older
);
insert into audit_checkpoint (position, digest, event_id, pruned_before) values (0, decode(repeat('00', 32), 'hex'), 0, '-infinity');

create function audit_months_before(p_cutoff timestamptz) returns text[] language sql as $$
    select coalesce(array_agg(c.relname::text order by c.relname), '{}')
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'audit_events'::regclass and c.relname ~ '^audit_events_\d{4}_\d{2}$'
       and c.relname < 'audit_events_' || to_char(p_cutoff, 'YYYY_MM')
$$;

-- Drops the months before the last p_keep_months, this one not counted, with their part of the chain.
--
-- It gives up where a lock takes half a second: requests wait behind it, and must not be what a deadlock costs.
--
-- A chain row goes when all before it go: around a month's end some rows of the month that stays may stand before some
-- of the one that goes. Those that are left show a time before pruned_before, which their digest covers.
create function prune_audit(p_keep_months integer, p_request text default null) returns text[] language plpgsql security definer
    set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '500ms' as $$
declare
    cutoff timestamptz := date_trunc('month', now(), 'UTC') - make_interval(months => p_keep_months);
    dropped text[];
    first_kept bigint;
    last record;
    partition text;
begin
    if p_keep_months is null or p_keep_months < 3 then
        raise exception 'at least 3 months of the audit log are kept' using errcode = 'invalid_parameter_value';
    end if;
    -- Of two servers that prune the second finds nothing left; and nobody makes a month meanwhile, or adds to the chain.
    lock table audit_events in share update exclusive mode;
    perform pg_advisory_xact_lock(hashtextextended('audit chain', 4));
    dropped := audit_months_before(cutoff);
    if dropped = '{}' and not exists (select from audit_events_default where at < cutoff) then return '{}'; end if;
    select position into first_kept from audit_chain where at >= cutoff order by position limit 1;
    select position, digest into last from audit_chain
     where position < coalesce(first_kept, 9223372036854775807) order by position desc limit 1;
    if last.position is not null then
        update audit_checkpoint set position = last.position, digest = last.digest,
               event_id = greatest(event_id, (select max(c.event_id) from audit_chain c where c.position <= last.position));
        alter table audit_chain disable trigger audit_is_append_only;
        delete from audit_chain where position <= last.position;
        alter table audit_chain enable trigger audit_is_append_only;
    end if;
    update audit_checkpoint set pruned_before = greatest(pruned_before, cutoff);
    insert into audit_events (action, outcome, request_id, detail)
    select 'audit_pruned', 'done', p_request,
           jsonb_build_object('before', to_char(cutoff, 'YYYY-MM-DD'), 'position', position, 'digest', encode(digest, 'hex'))
      from audit_checkpoint;

    -- Last, because inserts wait from here to the commit.
    if exists (select from audit_events_default where at < cutoff) then
        alter table audit_events_default disable trigger audit_is_append_only;
        delete from audit_events_default where at < cutoff;
        alter table audit_events_default enable trigger audit_is_append_only;
    end if;
    foreach partition in array dropped loop
        execute format('drop table %I', partition);
    end loop;
    return dropped;
end $$;
revoke execute on function prune_audit(integer, text) from public;
