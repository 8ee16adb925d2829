-- Other accounts that may belong to the same user, with the shared facts and their weight: a proved address weighs
-- much, self-entered text little. Thousands of accounts may share a name: the order
-- of the index ends that search after five. PL/pgSQL plans the query once per connection.
-- Locks: none
create or replace function account_suggestions(p_account uuid) returns jsonb language plpgsql stable set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
    return (
        with recent as materialized (select r.kind, r.term, r.account_id from recent_search_terms() r), mine as (
            select lower(e.address_key) as key, e.proved_at is not null as proved from account_emails e where e.account_id = p_account and not e.is_relay
            union
            select lower(i.email), i.email_verified from identities i where i.account_id = p_account and i.email is not null and not i.email_is_relay
        ), facts as (
            select e.account_id, 'same_email' as fact, e.address as value, m.proved as here, e.proved_at is not null as there
              from mine m join account_emails e on e.address_key collate "C" = m.key where e.account_id <> p_account and not e.is_relay
            union
            select i.account_id, 'same_email_told', i.email, m.proved, i.email_verified
              from mine m
             cross join lateral (select s.account_id from search_terms s where s.kind = 'reported_email' and s.term = m.key
                                 union all
                                 select r.account_id from recent r where r.kind = 'reported_email' and r.term = m.key) t
              join identities i on i.account_id = t.account_id and lower(i.email) = m.key where i.account_id <> p_account and not i.email_is_relay
            union
            select o.account_id, 'same_phone', o.phone_key, p.proved_at is not null, o.proved_at is not null
              from account_phones p join account_phones o on o.phone_key collate "C" = p.phone_key
             where p.account_id = p_account and o.account_id <> p_account
            union
            select o.account_id, 'same_subject', o.subject, true, true
              from identities i join identities o on o.subject = i.subject and o.provider = i.provider
             where i.account_id = p_account and o.account_id <> p_account
            union
            select n.id, 'same_name', n.display_name, false, false
              from accounts a join lateral (
                  (select o.id, o.display_name from search_terms s join accounts o on o.id = s.account_id
                    where s.kind = 'name' and s.term = lower(a.display_name) and s.account_id <> a.id and lower(o.display_name) = s.term
                    order by s.account_id limit 5)
                  union
                  (select o.id, o.display_name from recent r join accounts o on o.id = r.account_id
                    where r.kind = 'name' and r.term = lower(a.display_name) and r.account_id <> a.id limit 5)
                  limit 5) n on true
             where a.id = p_account and a.display_name is not null
        ), weighed as (
            select account_id, jsonb_agg(jsonb_build_object('fact', fact, 'value', value, 'proved_here', here, 'proved_there', there)
                                         order by fact, value) as facts,
                   max(case when fact = 'same_name' then 1 when here and there then 4 when here or there then 3 else 2 end) as weight
              from facts group by account_id
        )
        select coalesce(jsonb_agg(account_line(account_id) || jsonb_build_object('facts', facts,
                            'strength', (array['weak', 'weak', 'likely', 'strong'])[weight]) order by weight desc, account_id), '[]')
          from (select * from weighed order by weight desc, account_id limit 10) w
         where exists (select from accounts a where a.id = w.account_id and a.status = 'active'));
end $$;
