-- Settles a revocation, with its audit row.
-- Locks: provider_revocations.
create or replace function end_revocation(p_id uuid, p_state text, p_error text) returns void language plpgsql as $$
declare
    ended record;
begin
    update provider_revocations
       set state = p_state, sealed = null, claimed_until = null, settled_at = now(), last_error = p_error
     where id = p_id and state = 'waiting'
    returning provider, identity_id, account_id, tries, queued_at into ended;
    if found then
        insert into audit_inbox (action, outcome, reason, account_id, identity_id, provider, detail)
        values ('provider_token_revoked', case p_state when 'revoked' then 'done' else 'refused' end,
                case p_state when 'revoked' then null else p_state end, ended.account_id, ended.identity_id, ended.provider,
                jsonb_strip_nulls(jsonb_build_object('tries', ended.tries, 'queued_at', ended.queued_at, 'error', p_error)));
    end if;
end $$;
