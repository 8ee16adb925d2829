-- The events of an account and of accounts merged into it, newest first, before `p_before`. Views by operators appear
-- only in the audit log.
-- Locks: none
create or replace function account_history(p_account uuid, p_before bigint, p_limit integer) returns jsonb language plpgsql stable
set jit = off set plan_cache_mode = force_generic_plan as $$
begin
    return (
        select coalesce(jsonb_agg(jsonb_build_object(
                'id', v.id, 'at', utc(v.at), 'action', v.action, 'outcome', v.outcome, 'reason', v.reason, 'account_id', v.account_id,
                'actor_id', v.actor_id, 'words', v.words, 'identity_id', v.identity_id, 'session_id', v.session_id, 'client_id', v.client_id,
                'provider', v.provider, 'address', v.address, 'request_id', v.request_id, 'detail', v.detail) order by v.id desc), '[]')
          from (select newest.*
                  from (select p_account as id union select id from accounts where merged_into = p_account) a
                 cross join (values (false), (true)) as refreshes (are_meant)
                 cross join lateral account_events(a.id, refreshes.are_meant, p_before, null, null, false, p_limit) newest
                 order by newest.id desc limit p_limit) v);
end $$;
