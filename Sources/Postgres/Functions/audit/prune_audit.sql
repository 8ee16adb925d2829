-- Drops the months before the last p_keep_months (the current month not counted) and their links of the chain.
--
-- Gives up if a lock takes half a second, because readers wait behind it and could deadlock.
--
-- A link is dropped only together with all earlier links: around the end of a month, events of the next month may be
-- sealed first. The remaining links have times before pruned_before, which their digest covers.
-- Locks: audit_sealed (whole table), advisory audit chain, audit_checkpoint, audit_chain, *forget_pruned_counts,
-- audit_sealed_default, named table (whole table). The log `share update exclusive`; the months that go `access exclusive`,
-- last, because the sealer waits from there to the commit.
create or replace function prune_audit(p_keep_months integer, p_request text default null) returns text[] language plpgsql security definer
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
    -- Serializes pruning, new partitions and the sealer.
    lock table audit_sealed in share update exclusive mode;
    perform pg_advisory_xact_lock(hashtextextended('audit chain', 4));
    dropped := audit_months_before(cutoff);
    if dropped = '{}' and not exists (select from audit_sealed_default where at < cutoff) then return '{}'; end if;
    select position into first_kept from audit_chain where last_at >= cutoff order by position limit 1;
    select position, digest into last from audit_chain
     where position < coalesce(first_kept, 9223372036854775807) order by position desc limit 1;
    if last.position is not null then
        update audit_checkpoint set position = last.position, digest = last.digest;
        alter table audit_chain disable trigger audit_is_append_only;
        delete from audit_chain where position <= last.position;
        alter table audit_chain enable trigger audit_is_append_only;
    end if;
    update audit_checkpoint set pruned_before = greatest(pruned_before, cutoff);
    insert into audit_inbox (action, outcome, request_id, detail)
    select 'audit_pruned', 'done', p_request,
           jsonb_build_object('before', to_char(cutoff, 'YYYY-MM-DD'), 'position', position, 'digest', encode(digest, 'hex'))
      from audit_checkpoint;

    -- Last, because the sealer waits from here until the commit.
    if exists (select from audit_sealed_default where at < cutoff) then
        alter table audit_sealed_default disable trigger audit_is_append_only;
        delete from audit_sealed_default where at < cutoff;
        alter table audit_sealed_default enable trigger audit_is_append_only;
    end if;
    foreach partition in array dropped loop
        execute format('drop table %I', partition);
    end loop;
    return dropped;
end $$;
revoke execute on function prune_audit(integer, text) from public;
