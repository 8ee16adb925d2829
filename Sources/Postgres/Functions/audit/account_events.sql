-- The newest events of an account before an id, from the sealed months and the inbox. Each side is read in index order
-- up to the limit: PostgreSQL underestimates the events of an account and would sort them all. p_refreshes selects
-- refreshes or all other events, because the index separates them. p_actions: the actions that users see of their own
-- account; null: all. p_refusals: the reasons of refusals that they see. p_views: include views by operators.
-- Locks: none
create or replace function account_events(p_account uuid, p_refreshes boolean, p_before bigint, p_actions text[], p_refusals text[], p_views boolean, p_limit integer)
returns setof audit_events language plpgsql stable set enable_sort = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
    return query
        select newest.* from (
            (select e.id, e.at, e.action, e.outcome, e.reason, e.account_id, e.identity_id, e.session_id, e.client_id, e.provider, e.address,
                    e.request_id, e.detail, e.actor_id, e.words
               from audit_sealed e
              where e.account_id = p_account and (case when e.action = 'refreshed' then 1 else 0 end) = p_refreshes::integer
                and e.id < coalesce(p_before, 9223372036854775807) and is_event_shown(e.action, e.outcome, e.reason, p_actions, p_refusals, p_views)
              order by e.id desc limit p_limit)
            union all
            (select e.id, e.at, e.action, e.outcome, e.reason, e.account_id, e.identity_id, e.session_id, e.client_id, e.provider, e.address,
                    e.request_id, e.detail, e.actor_id, e.words
               from audit_inbox e
              where e.account_id = p_account and (e.action = 'refreshed') = p_refreshes
                and e.id < coalesce(p_before, 9223372036854775807) and is_event_shown(e.action, e.outcome, e.reason, p_actions, p_refusals, p_views)
              order by e.id desc limit p_limit)) newest
         order by newest.id desc limit p_limit;
end $$;
