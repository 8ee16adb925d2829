-- The methods of an account that came since a disowned sign-in began, for the page after it.
-- Locks: none
create or replace function disowned_rest(p_account uuid, p_since timestamptz) returns jsonb language sql stable as $$
    select coalesce(jsonb_agg(jsonb_build_object('kind', m.kind, 'id', m.id, 'name', m.name)), '[]') from methods_since(p_account, p_since) m;
$$;
